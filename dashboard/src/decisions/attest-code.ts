/** Returns code that attests a tool, in lines that fit in a narrow column. `tool`: the name, as it stands between quotes. */
export const attestCode = (tool = 'search_docs'): string => `const call = tracewright.tool(
  '${tool}',
  run,
  // the same input gives the same result
  { attest: true },
)`
