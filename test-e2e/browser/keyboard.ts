// What somebody without a mouse does, and what must hold at each step: the focus comes there, and is seen.
import type { Locator, Page } from 'playwright-core'

const stepsMax = 90

/** Goes on with Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  // Found once: by role and name, at each step, it would take half the time of a journey. Again where a rendering replaced it.
  let found = await target.elementHandle()
  for (let step = 0; step < stepsMax; ) {
    const place = await found?.evaluate((element) =>
      element.isConnected ? element === element.ownerDocument.activeElement : null,
    )
    if (place === true) return requireVisibleFocus(target)
    if (place === false) {
      await page.keyboard.press('Tab')
      step += 1
    } else found = await target.elementHandle()
  }
  throw new Error(`the focus does not come to ${target}`)
}

/** Goes there and presses a key: Enter unless told. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Goes to a field and types over what is in it. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/**
 * Goes down in an open list to an option and takes it. It looks before each step: a list that has just opened marks its chosen option a
 * moment later, and whoever is faster would take another one.
 */
export async function choose(page: Page, list: Locator, name: string): Promise<void> {
  const option = list.getByRole('option', { name, exact: true })
  await option.waitFor()
  for (let step = 0; step < stepsMax; step += 1) {
    if ((await option.getAttribute('data-combobox-selected')) === 'true') return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`the list does not come to ${name}`)
}

/** Something marks it: an outline, or a border of another colour around it. */
async function requireVisibleFocus(target: Locator): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: an element of the page, whose types are not known here
  const mark = await target.evaluate((element: any) => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const styleOf = (globalThis as any).getComputedStyle
    const markOf = () => {
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = styleOf(element)
      if (outlineStyle !== 'none' && outlineWidth !== '0px') return 'outline'
      return boxShadow !== 'none' ? 'shadow' : borderColor
    }
    // A border changes its colour in a while; what counts is where it ends.
    element.style.transition = 'none'
    const focused = markOf()
    if (focused === 'outline' || focused === 'shadow') return focused
    element.blur()
    const without = markOf()
    element.focus()
    return focused === without ? '' : 'border'
  })
  if (mark === '') throw new Error(`the focus is not seen on ${target}`)
}
