// The tables this device has kept, for the page that is shown without a network.
import { h } from "./dom.js";
import { Store } from "./store.js";

const list = document.getElementById("kept-tables");
const matches = await new Store().all();
const filled = (text, values) => text.replace(/%\((\w+)\)s/g, (_, key) => values[key]);

for (const { state, entries } of matches) {
  const { match, seats } = state.table;
  const names = seats.map((one) => one.player.name).join(" · ");
  const count = entries.length;
  list.append(
    h(
      "li",
      {},
      h(
        "a",
        { class: "button block", href: `/matches/${match.id}/record/` },
        filled(list.dataset.table, { table: match.table }),
        " ",
        h("bdi", {}, names),
        count > 0 && ` ${filled(list.dataset.unsent, { count })}`,
      ),
    ),
  );
}
document.getElementById("no-kept-tables").hidden = matches.length > 0;
