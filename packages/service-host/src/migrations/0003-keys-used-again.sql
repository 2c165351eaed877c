-- breaking: no
-- A key that becomes the current one again has been in use from then on (key-canary.ts).
grant update (created) on key_canaries to ${http_role}, ${worker_role};
