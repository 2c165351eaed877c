-- breaking: no
-- With this index a generic plan read the counts of all workspaces for the numbers of one: by hour seemed to be as few rows as by
-- subscription. What is old is found by the primary key instead, subscription by subscription (statistics/store.ts).
drop index attempt_counts_age;
