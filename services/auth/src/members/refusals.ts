// What the settings API answers where a member may not do what he or she asks for, beyond the rights of the route.
import { Problem } from '@wds/http-service/problem'

/** Of whoever may not give, change or remove a role. */
export const managingRefused = (): Problem =>
  new Problem('role_not_allowed', {
    detail:
      'This needs the role owner or admin, and where the role owner is given, changed or removed, the role owner.',
  })

/** Of the last owner, who neither leaves nor gets another role. */
export const lastOwnerDetail =
  'This is the last owner of the workspace. Make another member an owner first, or delete the workspace.'
