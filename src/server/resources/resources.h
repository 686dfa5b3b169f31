#pragma once

#include "server/router.h"

/// The handlers behind the table of routes, one source file for each resource.
namespace rondo::server {

Response get_collection(const Call& call);
Response get_compare(const Call& call);
Response get_export(const Call& call);
Response get_features(const Call& call);
Response get_funnel(const Call& call);
Response get_health(const Call& call);
Response get_melody(const Call& call);
Response get_metrics(const Call& call);
Response get_openapi(const Call& call);
Response get_page(const Call& call);
Response get_query(const Call& call);
Response get_root(const Call& call);
Response get_search(const Call& call);
Response get_systems(const Call& call);
Response post_evaluate(const Call& call);
Response post_convert(const Call& call);
Response post_query(const Call& call);
Response post_search(const Call& call);

// Concordances.
Response get_concordances(const Call& call);
Response get_concordance_export(const Call& call);
Response get_concordance_groups(const Call& call);
Response post_concordances(const Call& call);
Response post_concordances_cancel(const Call& call);
Response put_concordance_decision(const Call& call);

// Studies: resources/studies.
Response get_candidates(const Call& call);
Response get_me(const Call& call);
Response get_participant(const Call& call);
Response get_studies(const Call& call);
Response get_study(const Call& call);
Response get_study_audit(const Call& call);
Response get_study_export(const Call& call);
Response get_study_results(const Call& call);
Response get_study_tables(const Call& call);
Response get_study_truth(const Call& call);
Response get_study_votes(const Call& call);
Response get_task(const Call& call);
Response patch_study(const Call& call);
Response post_invitations(const Call& call);
Response post_join(const Call& call);
Response post_leave(const Call& call);
Response post_login(const Call& call);
Response post_logout(const Call& call);
Response post_open_link(const Call& call);
Response post_left_out(const Call& call);
Response post_withdrawal(const Call& call);
Response post_studies(const Call& call);
Response post_study_import(const Call& call);
Response put_background(const Call& call);
Response put_picks(const Call& call);
Response put_consent(const Call& call);
Response put_ranking(const Call& call);

/// The response of get_search, for handlers with further parameters.
Response search_answer(const Call& call);

}  // namespace rondo::server
