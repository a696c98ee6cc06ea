// Joins the pages of a list that is read by offset. A row that moves to the front between two requests moves the others back, so that one
// of them comes twice.

export const joinPages = <Row extends { readonly id: string }>(pages: readonly (readonly Row[])[]): Row[] => [
  ...new Map(pages.flat().map((row) => [row.id, row])).values(),
]
