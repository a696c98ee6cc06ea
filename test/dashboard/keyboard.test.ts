// The path from sign-in to a disabled rule, by keyboard alone.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { makeSpan, randomTraceId } from '../_kit/spans.ts'
import { until, untilFound } from '../_kit/until.ts'
import { type Decision, openStage, type Transition } from './_decisions.ts'
import { joinScene } from './_scene.ts'
import { sendSpans } from './_traces.ts'

const { service, browser, stop, prepared: stage } = await joinScene(openStage)
const { read } = stage
test.after.always(async () => {
  await stage.stop()
  await stop()
})

const mostPresses = 80
const hourMs = 3_600_000

/** The focused element is visible and has a focus ring of 2 px. */
const isSeen = `(() => {
  const { activeElement: element } = document
  if (element === null || element === document.body || !element.matches(':focus-visible')) return false
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const { top, bottom, left, right, width } = element.getBoundingClientRect()
  const isInSight = width > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  return isInSight && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
})()`

const nameOfFocused = `(() => {
  const { activeElement: element } = document
  return element?.getAttribute('aria-label') ?? (element?.labels?.[0] ?? element)?.textContent ?? ''
})()`

type Step = { readonly name: string; readonly isSeen: boolean }

/** The focused element, once it is another one than `focusedBefore`; null until then. */
const readStep = `(() => {
  const { activeElement } = document
  if (activeElement === globalThis.focusedBefore) return null
  globalThis.focusedBefore = activeElement
  return { name: ${nameOfFocused}, isSeen: ${isSeen} }
})()`

function openKeyboard(t: ExecutionContext, page: Page) {
  const { keyboard } = page
  const expectSeen = async (what: string): Promise<void> => {
    const name = await page.evaluate<string>(nameOfFocused)
    t.true(await page.evaluate<boolean>(isSeen), `${what}: ${name}`)
  }
  const waitForFocus = async (selector: string, name: string): Promise<void> => {
    const wanted = `document.activeElement?.matches('${selector}') && ${nameOfFocused} === ${JSON.stringify(name)}`
    await until(async () => await page.evaluate<boolean>(wanted)).catch(async (error: unknown) => {
      throw new Error(`the focus is on “${await page.evaluate<string>(nameOfFocused)}”`, { cause: error })
    })
    await expectSeen(name)
  }
  return {
    expectSeen,
    press: async (key: string) => await keyboard.press(key),
    type: async (text: string): Promise<void> => {
      await keyboard.type(text)
      await expectSeen('after typing')
    },
    /** Presses the key until the element of this name has the focus. */
    goTo: async (name: string, key: string): Promise<void> => {
      await page.evaluate('globalThis.focusedBefore = document.activeElement')
      for (let press = 0; press < mostPresses; press++) {
        await keyboard.press(key)
        // A list may load its next rows before it moves the focus.
        const step = await untilFound(async () => await page.evaluate<Step | null>(readStep))
        t.true(step.isSeen, `${key} on the way to ${name}: ${step.name}`)
        if (step.name === name) return
      }
      t.fail(`${name} was not reached`)
    },
    /** Both at once: a key sequence is valid for a second only, and the machine may stand still between two waits. */
    pressRow: async (first: string, second: string) =>
      void (await Promise.all([first, second].map((key) => keyboard.press(key)))),
    untilFocused: async (name: string): Promise<void> => await waitForFocus('*', name),
    /** The address changes before the page does: until then the focus may be on the heading of the previous page. */
    untilOnPage: async (heading: string): Promise<void> => await waitForFocus('h1', heading),
  }
}

test.serial(
  'check 29: sign in, make a key, find the trace that it sent and disable a rule by the keyboard alone',
  async (t) => {
    const id = await stage.makeProven('typed')
    const { page } = await browser.open(t, service.baseUrl)
    const { press, pressRow, type, goTo, expectSeen, untilFocused, untilOnPage } = openKeyboard(t, page)
    const workspace = `/w/${service.workspaceId}`
    const dialog = page.getByRole('dialog')

    await page.goto('/sign-in')
    await untilFocused('E-mail')
    await type(service.email)
    await goTo('Password', 'Tab')
    await type(service.password)
    await press('Enter')
    await page.waitForURL(`**${workspace}`)
    await untilOnPage('Overview')

    await pressRow('g', 'k')
    await page.waitForURL(`**${workspace}/keys`)
    await untilOnPage('Keys')
    await page.getByRole('button', { name: 'New key' }).waitFor()
    await goTo('New key', 'Tab')
    await press('Enter')
    await untilFocused('Name')
    await type('made by hand')
    await goTo('Make the key', 'Tab')
    await press('Enter')
    await dialog.getByRole('heading', { name: 'Store this key now' }).waitFor()
    await until(async () => await page.evaluate<boolean>(isSeen))
    const [key = ''] = /tw_sk_\w+/.exec(await dialog.innerText()) ?? []
    await goTo('I stored it', 'Tab')
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await untilFocused('New key')

    const traceId = randomTraceId()
    // The window of the page ends when the page was opened, or 30 s later: a span of now may not be in it yet.
    const span = makeSpan({ traceId, name: 'sent by hand', start: Date.now() - hourMs })
    await sendSpans(service.baseUrl, { key }, [span])
    await service.settled()
    await pressRow('g', 't')
    await page.waitForURL(`**${workspace}/traces`)
    await page.getByRole('link', { name: 'sent by hand' }).waitFor()
    await untilOnPage('Traces')
    await goTo('sent by hand', 'j')
    await press('Enter')
    await page.waitForURL(`**${workspace}/traces/${traceId}`)
    await page.getByRole('heading', { level: 1, name: 'sent by hand' }).waitFor()
    await untilOnPage('sent by hand')

    await pressRow('g', 'd')
    await page.waitForURL(`**${workspace}/decisions`)
    await page.getByRole('link', { name: 'typed' }).waitFor()
    await untilOnPage('Decisions')
    await goTo('typed', 'j')
    await press('Enter')
    await page.waitForURL(`**/decisions/${id}`)
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await untilOnPage('typed')
    await goTo('Disable', 'Tab')
    await press('Enter')
    await dialog.locator('textarea:focus').waitFor()
    await expectSeen('the reason')
    await type('by hand')
    await goTo('Disable', 'Tab')
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    t.is((await read<Decision>(id)).state, 'disabled')
    t.is((await read<Transition[]>(id, '/transitions')).at(-1)?.reason, 'by hand')
    // The opener no longer exists, so the focus is on the heading.
    await untilOnPage('typed')
  },
)
