/* Swagger UI has dark colours under a class of its own: put on as the reader chose on the site's
   pages, or as the device says. Loaded before the page, so that it never flashes. */

const darkDevice = matchMedia("(prefers-color-scheme: dark)");

function chosenTheme() {
  try {
    return localStorage.getItem("theme") ?? "";
  } catch {
    return "";
  }
}

function dress() {
  const theme = chosenTheme();
  document.documentElement.classList.toggle("dark-mode", theme ? theme === "dark" : darkDevice.matches);
}

darkDevice.addEventListener("change", dress);
dress();
