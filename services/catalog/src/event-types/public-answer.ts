// Decides how the catalog answers: for everybody, kept 300 s, with an entity tag of the content (api-conventions.md C40, C43).
import { etagOfContent } from '@wds/http-service/etag'

/** 200 with the body. Equal bodies have equal tags, whichever process answers. */
export function publicAnswer<Body extends object>(body: Body) {
  return { status: 200, body, headers: { etag: etagOfContent(JSON.stringify(body)) }, cache: 'public' } as const
}
