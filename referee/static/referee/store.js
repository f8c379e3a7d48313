// What this device keeps of the matches it records, in IndexedDB: it outlives a closed browser.

const NAME = "domino";
const MATCHES = "matches";

function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(MATCHES);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
    asked.onblocked = () => reject(new Error("blocked"));
  });
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The matches kept here. Where nothing may be kept, as in a private window, nothing is. */
export class Store {
  #database = opened().catch(() => null);

  async #in(mode, act) {
    const database = await this.#database;
    if (!database) return undefined;
    try {
      return await done(act(database.transaction(MATCHES, mode).objectStore(MATCHES)));
    } catch {
      return undefined;
    }
  }

  read(key) {
    return this.#in("readonly", (matches) => matches.get(key));
  }

  /** Everything kept here. */
  async all() {
    return (await this.#in("readonly", (matches) => matches.getAll())) ?? [];
  }

  /** Keep `value` under `key`; null forgets it. */
  write(key, value) {
    return this.#in("readwrite", (matches) =>
      value === null ? matches.delete(key) : matches.put(value, key),
    );
  }
}
