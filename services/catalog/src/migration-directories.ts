// The migrations of the service's schema: what the packages bring, then its own.
import { serviceMigrations } from '@wds/service-host/migrations'

/** Every folder that `migrate` takes. */
export const migrationDirectories: URL[] = serviceMigrations({
  callers: 'anyone',
  own: new URL('./migrations/', import.meta.url),
})
