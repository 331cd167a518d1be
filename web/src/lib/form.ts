/* Forms are read when they are sent; nothing goes to the server by itself. */

/** What was written into a field of the form, as it stands there. */
export function written(event: SubmitEvent, name: string): string {
  event.preventDefault();
  const form = event.currentTarget;
  const value = form instanceof HTMLFormElement ? new FormData(form).get(name) : null;
  return typeof value === "string" ? value : "";
}
