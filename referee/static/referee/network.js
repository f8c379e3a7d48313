// Talking to the server: JSON in and out, and the three ways it can go wrong.

import { deviceKey } from "./device_key.js";
import { say } from "./words.js";

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
  // A page that was kept here may be older than the reader's session.
  document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ||
  document.querySelector("[name=csrfmiddlewaretoken]")?.value ||
  "";

async function ask(address, options) {
  let response;
  try {
    response = await fetch(address, {
      credentials: "same-origin",
      signal: AbortSignal.timeout ? AbortSignal.timeout(PATIENCE) : undefined,
      ...options,
      headers: {
        Accept: "application/json",
        "X-Domino-Device": deviceKey(),
        ...options.headers,
      },
    });
  } catch {
    throw new Unreachable();
  }
  if (response.status >= 500) throw new Unreachable();
  const cutOff = response.ok && response.status !== 204 ? null : {};
  const answer = await response.json().catch(() => cutOff);
  // A server that died while it answered may have stored what was sent: ask again with its key.
  if (answer === null) throw new Unreachable();
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

export const get = (address) => ask(address, {});

export const post = (address, body) => sent("POST", address, body);

export const put = (address, body) => sent("PUT", address, body);

const sent = (method, address, body) =>
  ask(address, {
    method,
    headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
    body: JSON.stringify(body),
  });

/** The first sentence of a refusal, whatever its shape. */
export function problemOf({ status, answer }) {
  if (answer.message) return answer.message;
  if (status === 401 || status === 403) return say("not_allowed");
  const first = Object.values(answer)
    .flat(Infinity)
    .find((one) => typeof one === "string");
  return first || say("not_understood");
}
