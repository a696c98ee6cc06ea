/** Returns the text in a field of a form; empty if there is no such field. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
