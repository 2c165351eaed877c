-- breaking: no
-- What a month asks for is done in turns, a transaction each (decision 99). Here stands how far it has come. Null: not begun.
-- Of the firing of a rule that bills a month: what it has done so far.
alter table automation_work add column progress jsonb;
-- Of the close of a month: the day, then the sub-affiliate that was done last.
alter table sub_affiliate_work add column done_to text collate "C";
