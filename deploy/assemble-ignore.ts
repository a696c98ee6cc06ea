// Floor 4. What .dockerignore keeps out: the last pattern that speaks of a path decides, as an engine has it.

/** Patterns of plain names, `*` and a leading `**` only. Gives whether a path, relative to the context, stays out. */
export function matchIgnore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: toPattern(line.replace(/^!/, '')) }))
  return (path) => {
    const rule = rules.findLast(({ pattern }) => pattern.test(path))
    return rule !== undefined && !rule.keeps
  }
}

/** A pattern that names a folder speaks of all in it. */
function toPattern(line: string): RegExp {
  const escaped = line.replaceAll(/[.+^${}()|[\]]/g, '\\$&')
  const body = escaped.replace(/^\*\*\//, '(?:.*/)?').replaceAll(/(?<!\.|\))\*/g, '[^/]*')
  return new RegExp(`^${body}(?:/|$)`)
}
