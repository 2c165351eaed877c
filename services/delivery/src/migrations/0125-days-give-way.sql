-- breaking: no
-- Making and dropping days locks four tables against everybody, one after another, while settles and reads take the same ones in other
-- orders. So it gives way, well before anybody's deadlock_timeout (1 s): it fails, nobody else does, and it is tried again.
alter function make_partitions(date) set lock_timeout = '500ms';
alter function drop_partitions(date) set lock_timeout = '500ms';
