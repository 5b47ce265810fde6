-- Messages are counted on the day on which they left, so that a day's deliveries are never more than its messages.

create function organization_day(organization uuid) returns date language sql stable as $$
  select local_day(now(), timezone) from accounts where organization_id = organization and id = organization;
$$;

-- The organisation's day when the row was written; null for messages that are older than this column.
alter table messages add column left_on date;

-- The day of the messages that are counted; null for counts without a message, which belong to the day of `at`.
alter table counter_deltas add column left_on date;

-- As rate cards name it; null for campaigns that were frozen before this column.
alter table campaign_legs add column category text;
