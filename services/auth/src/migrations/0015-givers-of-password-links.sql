-- breaking: no
-- Who gave a link for a new password: it is worth something while its giver is an owner. Null: the operator, or a link of before, which is
-- worth nothing where it has a workspace.
alter table password_links add column giver text collate "C";
