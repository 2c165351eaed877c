-- breaking: no
-- What a rotation says, at the text that it made: so that two of a key which are told in the other order leave the same.
alter table access_keys
  -- Event of the rotation; '' for the first text. Ids of one stream rise.
  add column rotated_by text collate "C" not null default '',
  -- When the texts before end by it.
  add column previous_ends timestamptz;
