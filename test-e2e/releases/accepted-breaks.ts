/** What may break clients all the same (C82), by the release that it breaks: the change as the test tells it, and the decision that says why. */
export const acceptedBreaks: Record<string, Record<string, string>> = {}
