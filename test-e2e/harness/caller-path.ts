/** Files that commands are told to write. npm runs them in the folder of the project, and says where it was called. */
import { resolve } from 'node:path'

/** The file as its caller means it. */
export const fromCaller = (file: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), file)
