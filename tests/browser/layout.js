// What is wrong with the layout of the page as it stands now: a list of sentences, empty if nothing is.
(smallest) => {
  const faults = [];
  const width = innerWidth;
  const height = innerHeight;
  const modal = document.querySelector("dialog[open]");
  const start = document.querySelector("main.page") !== null;
  const within = modal ?? document.body;
  const name = (element) =>
    element.dataset.testid ?? `${element.tagName.toLowerCase()}.${[...element.classList].filter((part) => !part.startsWith("s-") && !part.startsWith("svelte-")).join(".")}`;
  // What is there for screen readers only is clipped to nothing.
  const shown = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    for (let around = element; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).clipPath === "inset(50%)") return false;
    }
    return true;
  };
  const box = (element) => element.getBoundingClientRect();
  const written = ({ left, top, right, bottom }) => `[${[left, top, right, bottom].map(Math.round).join(" ")}]`;
  const outside = ({ left, top, right, bottom }) => left < -1 || top < -1 || right > width + 1 || bottom > height + 1;
  const crossing = (a, b, slack) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
  const scrolls = start || modal !== null;

  // Nothing scrolls but the pages around the table and sheets, and those only up and down.
  const page = document.scrollingElement;
  if (page.scrollWidth > width) faults.push(`the page is ${page.scrollWidth} wide on a screen of ${width}`);
  if (!start && page.scrollHeight > height) faults.push(`the page is ${page.scrollHeight} high on a screen of ${height}`);
  if (modal !== null && modal.scrollWidth > modal.clientWidth) faults.push("the sheet scrolls sideways");
  if (modal !== null && outside(box(modal))) faults.push(`the sheet leaves the screen ${written(box(modal))}`);

  // Buttons are large enough, on the screen, and not covered.
  const buttons = [...within.querySelectorAll("button:not([data-card]), select, input, summary, a.button, a.icon-button, a.rooms")].filter(shown);
  for (const button of buttons) {
    // A tick can be set by a press on its words.
    const area = box(button.type === "checkbox" ? button.closest("label") ?? button : button);
    if (Math.min(area.width, area.height) < smallest && button.tagName !== "SUMMARY") {
      faults.push(`${name(button)} is only ${Math.round(area.width)}×${Math.round(area.height)}`);
    }
    if (outside(area) && !scrolls) faults.push(`${name(button)} leaves the screen ${written(area)}`);
    if (button.scrollWidth > button.clientWidth + 1) faults.push(`${name(button)} is too narrow for its text`);
    const top = document.elementFromPoint(area.left + area.width / 2, area.top + area.height / 2);
    if (!scrolls && !button.contains(top)) faults.push(`${name(button)} is covered by ${top ? name(top) : "nothing"}`);
  }

  // Each card of the own hand has a part that can be seen and clicked.
  if (modal === null) {
    for (const card of document.querySelectorAll("[data-card]")) {
      const area = box(card);
      if (Math.min(area.width, area.height) < 19) faults.push(`${name(card)} shows only ${written(area)}`);
      if (outside(area)) faults.push(`${name(card)} leaves the screen ${written(area)}`);
      const top = document.elementFromPoint(area.left + area.width / 2, area.top + area.height / 2);
      if (top?.closest("[data-card]") !== card) faults.push(`${name(card)} is covered by ${top ? name(top) : "nothing"}`);
    }
  }

  // The parts of the table lie side by side. (What scrolls goes under the buttons of its sheet.)
  const parts = [
    ...(modal !== null && modal.scrollHeight > modal.clientHeight ? [] : buttons),
    ...(modal !== null ? [] : document.querySelectorAll(
      '[data-card], .chip, .pile, .spoken, [data-testid="question"], [data-testid="refused"], [data-testid="clock"], ' +
      '[data-testid="own-seat"], [data-testid="bottom"], [data-testid="marked"], [data-testid="let"], [data-testid="counter-table"]')),
  ].filter(shown);
  parts.forEach((one, index) => {
    if (one.classList.contains("pile") && outside(box(one))) faults.push(`a pile leaves the screen ${written(box(one))}`);
    for (const other of parts.slice(index + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      if (one.dataset.card !== undefined && other.dataset.card !== undefined) continue;
      if (crossing(box(one), box(other), 2)) {
        faults.push(`${name(one)} ${written(box(one))} and ${name(other)} ${written(box(other))} overlap`);
      }
    }
  });

  // Words are on the screen, whole, and not one over the other.
  const words = [];
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.data.trim() === "" || !shown(parent) || parent.closest("svg, option, script, style, [data-testid=flash]")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    words.push({ text: node.data.trim(), area: range.getBoundingClientRect(), parent });
  }
  words.forEach(({ text, area, parent }, index) => {
    if (outside(area) && !scrolls) faults.push(`"${text}" leaves the screen ${written(area)}`);
    for (let around = parent; around !== null && around !== within; around = around.parentElement) {
      const style = getComputedStyle(around);
      const cut = area.right > box(around).right + 1 || area.left < box(around).left - 1;
      if (style.overflowX === "hidden" && cut) faults.push(`"${text}" is cut off by ${name(around)}`);
    }
    for (const other of words.slice(index + 1)) {
      if (!scrolls && crossing(area, other.area, 2)) faults.push(`"${text}" and "${other.text}" overlap`);
    }
  });
  return faults;
}
