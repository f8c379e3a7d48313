/* Small comforts; every page works without them. Loaded before the page, so that it never flashes. */

const themes = ["", "light", "dark"];
const root = document.documentElement;

function savedTheme() {
  try {
    return localStorage.getItem("theme") ?? "";
  } catch {
    return "";
  }
}

function showTheme(theme) {
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  for (const button of document.querySelectorAll(".theme-toggle")) {
    button.hidden = false;
    button.setAttribute("aria-label", button.dataset[theme || "auto"]);
    button.title = button.dataset[theme || "auto"];
  }
}

function announce(text) {
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.textContent = text;
  document.getElementById("toasts")?.append(toast);
  setTimeout(() => toast.remove(), 6000);
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}

showTheme(savedTheme());

document.addEventListener("DOMContentLoaded", () => {
  showTheme(savedTheme());
  for (const tab of document.querySelectorAll(":is(.tabs, .site-nav) [aria-current]")) {
    tab.scrollIntoView({ block: "nearest", inline: "center" });
  }
});

document.addEventListener("click", (event) => {
  closeMenus(event.target.closest("details.menu"));
  const toggle = event.target.closest(".theme-toggle");
  if (toggle) {
    const theme = themes[(themes.indexOf(savedTheme()) + 1) % themes.length];
    try {
      localStorage.setItem("theme", theme);
    } catch {
      /* private browsing: the theme lasts as long as the page */
    }
    showTheme(theme);
    announce(toggle.title);
  }
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  if (event.target.closest("[data-closes]")) event.target.closest("dialog")?.close();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  closeMenus();
  menu?.querySelector("summary").focus();
});

// A slow line must not tempt anyone to press twice; sending twice is harmless all the same.
document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) event.submitter?.setAttribute("aria-busy", "true");
});
window.addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll('button[aria-busy="true"]')) {
    button.removeAttribute("aria-busy");
  }
});
