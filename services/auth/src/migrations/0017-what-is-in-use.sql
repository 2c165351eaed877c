-- breaking: no
-- Where a session was started, for its person: what the audit log keeps of the same sign-in, here as long as the session alone.
alter table sessions add column address text, add column user_agent text;

-- The newest token of a grant, which tells when its app last got one.
create index engine_records_unused on engine_records (grant_id) where kind = 'RefreshToken' and consumed_at is null;
