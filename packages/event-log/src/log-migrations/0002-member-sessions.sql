-- breaking: no
-- The key of the advisory lock that a session of the member's process holds for as long as it lives: whoever can have it knows that the
-- process has ended. Null: it holds none just now, or is of the version before; it is gone once expires_at has passed.
alter table log.members add column session bigint;
