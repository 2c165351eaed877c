// Files that commands are told by their words. npm runs a command in the folder of the project, and says in INIT_CWD where it was called.
import { resolve } from 'node:path'

/** The file as its caller means it: a relative path begins in the folder that the command was called in. */
export const fromCaller = (file: string): string => resolve(process.env.INIT_CWD || process.cwd(), file)
