// Pages that shall work without a network ask for the service worker, and to be kept by it.

const worker = navigator.serviceWorker;

/** Have this page kept, as soon as there is a worker to keep it. */
async function keep() {
  if (!worker || !isSecureContext) return;
  await worker.register("/sw.js");
  const { active } = await worker.ready;
  active.postMessage({ keep: location.href });
}

keep().catch(() => {});
