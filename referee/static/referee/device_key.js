// The key by which this device holds a table: a name others may know, a dot, a secret.
import { newKey, remember, remembered } from "./dom.js";

const NAME = "domino-device";
let key = remembered(NAME);

/** The key of this device, kept on it; where nothing may be kept it lasts as long as the page. */
export function deviceKey() {
  if (!key) {
    key = `${newKey().slice(0, 8)}.${newKey()}`;
    remember(NAME, key);
  }
  return key;
}

/** The part of the key that others may know. */
export const deviceName = () => deviceKey().split(".")[0];
