// Whether a form of the page holds text that the user typed, which would be lost with the page.

const typed = new WeakSet<EventTarget>()

export function watchTyping(): void {
  document.addEventListener('input', ({ target }) => target !== null && typed.add(target), true)
}

export const holdsTypedText = (): boolean =>
  [...document.querySelectorAll('form :is(input, textarea, select)')].some((field) => typed.has(field))
