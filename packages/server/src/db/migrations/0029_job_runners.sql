-- The runners of background jobs that are alive, by the id under which they lock jobs. Each keeps its row fresh; the jobs of one
-- that does not are unlocked, and run again. It belongs to the installation, not to an organisation.
create table job_runners (
  id text primary key,
  seen_at timestamptz not null default now()
);
revoke all on job_runners from carillon_app, carillon_system;
