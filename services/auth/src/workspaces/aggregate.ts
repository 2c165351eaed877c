import type { Aggregate } from '@wds/aggregate/aggregate'
import { announce } from '../announcements/announce.ts'
import { auditChange } from '../audit/audit.ts'
import {
  type WorkspaceCommand,
  type WorkspaceEvent,
  type WorkspaceRejection,
  type WorkspaceState,
  workspaceDecider,
} from './domain/workspace.ts'

/** A workspace, whose id is also that of the workspace it is in. */
export const workspaces: Aggregate<WorkspaceState, WorkspaceCommand, WorkspaceEvent, WorkspaceRejection> = {
  streamType: 'workspace',
  idPrefix: 'wsp',
  table: 'workspaces',
  decider: workspaceDecider,
  columns: ({ status }) => ({ status }),
  announce,
  project: auditChange,
}
