/* Where the player is, from the address of the page. */

import { href, parse, type Page, type Route } from "./route";

class Router {
  route = $state.raw<Route>({ page: "lobby", value: null });

  start(): void {
    const read = (): void => {
      this.route = parse(location.hash);
    };
    addEventListener("hashchange", read);
    read();
  }

  go(page: Page, value: string | null = null): void {
    location.hash = href(page, value);
  }

  /** Take the place of this page in the browser's history: going back does not lead to it again. */
  replace(page: Page): void {
    history.replaceState(null, "", href(page));
    this.route = parse(location.hash);
  }
}

export const router = new Router();
