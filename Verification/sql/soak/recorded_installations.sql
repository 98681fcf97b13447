-- What is recorded about these apps' installations? One row per installation; each period as account or
-- permission, start and end in milliseconds since 1970.
-- $1 app_id[]
SELECT installation.app_id,
       installation.device_id,
       installation.permission,
       installation.app_version,
       installation.last_registered_at,
       installation.last_sign_of_life_at,
       installation.erased_at,
       (SELECT coalesce(string_agg(
                   concat_ws(' ', binding.account, (extract(epoch FROM binding.bound_at) * 1000)::bigint,
                             (extract(epoch FROM binding.unbound_at) * 1000)::bigint),
                   ', ' ORDER BY binding.bound_at, binding.account), '')
          FROM landfall.account_binding AS binding
         WHERE binding.installation_id = installation.installation_id) AS accounts,
       (SELECT coalesce(string_agg(
                   concat_ws(' ', period.permission, (extract(epoch FROM period.started_at) * 1000)::bigint,
                             (extract(epoch FROM period.ended_at) * 1000)::bigint),
                   ', ' ORDER BY period.started_at), '')
          FROM landfall.permission_period AS period
         WHERE period.app_id = installation.app_id
           AND period.installation_id = installation.installation_id) AS permissions
FROM landfall.installation
WHERE installation.app_id = ANY ($1::bigint[]);
