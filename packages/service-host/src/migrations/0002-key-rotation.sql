-- breaking: no
-- Once nothing names an old key-encryption key, the command that encrypted everything anew forgets it (key-canary.ts).
grant delete on key_canaries to ${worker_role};
