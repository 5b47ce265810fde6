-- Each recipient is charged by his own country: the people of a country stand together in an audience.

-- The countries of a file that was read and where their people are, one behind the other: [{country, lo, hi}], [lo, hi).
alter table audiences add column countries jsonb not null default '[]';
update audiences set countries = jsonb_build_array(jsonb_build_object('country', default_country, 'lo', 0, 'hi', accepted))
where status = 'ready' and accepted > 0;
