// The frame of the pages of this service.
import { pagesUnder } from '@wds/html-pages/page'

/** Below a prefix that leads to auth everywhere: `/assets` is the console's. */
export const { page, mounts: assetMounts, stylesheetPath } = pagesUnder('/sign-in/assets')
