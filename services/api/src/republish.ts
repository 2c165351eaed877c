// Announces a range once more, for the command `republish`: from the streams, and what was kept of audit entries.
import { announceAgain } from '@wds/aggregate/concept'
import { republishKept } from '@wds/event-store/kept-announcements'
import { fromStreams, inTurn, type Republish } from '@wds/event-store/republish'
import { concepts } from './resources.ts'

export const republishAnnouncements: Republish = inTurn(fromStreams(announceAgain(concepts)), republishKept)
