// The machine of an integration (domain.md 3.2).

/** The machine: for each state the actions allowed and the state each leads to; `before_pause` is the one it was paused in. */
export const integrationMachine = {
  none: { create: 'pending' },
  pending: {
    update: 'pending',
    pause: 'paused',
    delete: 'deleted',
    run_succeeded: 'active',
    run_failed: 'pending',
    break: 'broken',
    report_delay: 'pending',
    report_expiry: 'pending',
  },
  active: {
    update: 'active',
    pause: 'paused',
    delete: 'deleted',
    run_succeeded: 'active',
    run_failed: 'active',
    break: 'broken',
    report_delay: 'active',
    report_expiry: 'active',
  },
  broken: {
    update: 'broken',
    pause: 'paused',
    delete: 'deleted',
    run_succeeded: 'active',
    run_failed: 'broken',
    report_delay: 'broken',
    report_expiry: 'broken',
  },
  paused: { update: 'paused', resume: 'before_pause', delete: 'deleted' },
  deleted: {},
} as const
export type IntegrationMachineState = keyof typeof integrationMachine
/** In which an integration is synced. */
export type Live = 'pending' | 'active' | 'broken'
