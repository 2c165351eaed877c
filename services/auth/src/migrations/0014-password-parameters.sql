-- breaking: no
-- Which parameters stored hashes have: an attempt to sign in computes one of each, so that its time tells nothing (decision 71).
create index passwords_parameters on passwords (split_part(hash, '$', 4));
