// Talking to the server: JSON in and out, and the three ways it can go wrong.

const PATIENCE = 12_000;

export class Unreachable extends Error {}

export class Refused extends Error {
  /** The server understood and said no: `status` and the JSON it answered. */
  constructor(status, answer) {
    super(answer.message || answer.detail || "");
    this.status = status;
    this.answer = answer;
  }
}

const token = () =>
  document.querySelector("[name=csrfmiddlewaretoken]")?.value ||
  document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ||
  "";

async function ask(address, options) {
  let response;
  try {
    response = await fetch(address, {
      credentials: "same-origin",
      signal: AbortSignal.timeout ? AbortSignal.timeout(PATIENCE) : undefined,
      ...options,
      headers: { Accept: "application/json", ...options.headers },
    });
  } catch {
    throw new Unreachable();
  }
  if (response.status >= 500) throw new Unreachable();
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

export const get = (address) => ask(address, {});

export const post = (address, body) =>
  ask(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
    body: JSON.stringify(body),
  });
