// Plants a fault into rendered objects, which the check under test has to find.
import { type Manifest, nameOf } from './render.ts'

/** Puts the value at the path of the object, or takes away what is there. A dot within a name is written `~`. */
export function plant(objects: readonly Manifest[], name: string, path: string, value?: unknown): void {
  const object = objects.find((one) => nameOf(one) === name)
  if (object === undefined) throw new Error(`there is no ${name}`)
  const words = path.split('.').map((word) => word.replaceAll('~', '.'))
  const last = words.pop() as string
  const place = words.reduce((inner: Manifest, word) => inner[word], object)
  if (value === undefined) delete place[last]
  else place[last] = value
}
