// Two workspaces in two tabs (ui.md U14): nothing lands in another workspace. Throws where something is not as it must be.
import { deepEqual, equal } from 'node:assert/strict'
import type { ConsoleRig } from './console-rig.ts'
import { makeTeam, settings } from './console-team.ts'

/** U14: the tab of the former workspace writes nothing into the new one; it says so and keeps what was typed. Of a switch that fails a note tells. */
export async function switchBesideAnotherTab(rig: ConsoleRig): Promise<void> {
  const [first, second] = [await makeTeam(rig, 'business'), await makeTeam(rig, 'business')]
  const { visitor, urlOf } = first.owner
  const { page: stale } = visitor
  try {
    const made = await settings(second.owner.visitor, rig, 'POST', '/v1/members/invitations', { role: 'owner' })
    // Without the message from tab to tab, as after a crash of the browser's channel.
    const deaf = await stale.context().newPage()
    await deaf.addInitScript(
      'delete globalThis.BroadcastChannel; globalThis.BroadcastChannel = class { postMessage() {} close() {} }',
    )
    for (const page of [stale, deaf]) {
      await page.goto(urlOf('api-keys/new'))
      await page.getByRole('textbox', { name: 'Name' }).fill('Typed before')
      await page.getByRole('checkbox').first().check()
    }
    const other = await stale.context().newPage()
    await other.goto(made.body.link)
    await other.locator('main button').first().click()
    // Joining has made the new workspace the current one; switched again, as from the menu.
    await other.goto(urlOf(''))
    await other.getByRole('button', { name: /^Switch to Team/ }).click()
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    // A search that is typed is one step to go back by, not one for each key.
    await other.goto(urlOf('event-catalog'))
    await other.getByRole('searchbox').pressSequentially('sync')
    await other.waitForURL(/q=sync$/)
    await other.goBack()
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    // A switch that fails says so, and can be tried again.
    await other.route('**/v1/session/switch', (route) => route.abort())
    await other.getByRole('button', { name: /^Workspace: Team/ }).click()
    await other.getByRole('menuitem', { name: second.slug.replace('team-', 'Team ') }).click()
    const again = other.getByRole('alert').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await other.unroute('**/v1/session/switch')
    await again.click()
    await other.waitForURL(new RegExp(`/w/${second.slug}`))

    await stale.getByText('The workspace was switched in another tab').waitFor()
    for (const page of [stale, deaf]) {
      await page.getByRole('button', { name: 'Create a key' }).click()
      await page.getByRole('alert').first().waitFor()
      equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Typed before')
    }
    for (const { owner } of [first, second]) {
      const { body } = await settings(owner.visitor, rig, 'GET', '/v1/api-keys')
      deepEqual(
        (body.data as { name: string }[]).map(({ name }) => name).filter((name) => name === 'Typed before'),
        [],
      )
    }
    await stale.getByRole('button', { name: 'Reload this page' }).click()
    await stale.getByRole('heading', { level: 1, name: /^This link belongs to Team/ }).waitFor()
  } finally {
    await visitor.close()
    await second.owner.visitor.close()
  }
}
