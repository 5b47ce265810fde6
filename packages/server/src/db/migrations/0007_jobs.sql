-- Jobs are added in the transaction of the change that asks for them. The queue's tables belong to the owner,
-- so the product's roles go through this one function.
create function enqueue_job(task text, payload json, job_key text default null, run_at timestamptz default null, queue text default null)
returns void language sql security definer set search_path = public, graphile_worker as $$
  select graphile_worker.add_job(task, payload, queue_name := queue, run_at := coalesce(run_at, now()), job_key := job_key)
$$;
revoke all on function enqueue_job from public;
grant execute on function enqueue_job to carillon_app, carillon_system;
