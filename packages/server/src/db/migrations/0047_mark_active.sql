-- Stores that an account was used. Accounts belong to their own module, and the look-up of a session calls this in its statement.
create function mark_active(account uuid, at timestamptz) returns void language sql as $$
  update accounts set last_active_at = mark_active.at where id = account;
$$;
