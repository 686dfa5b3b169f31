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
Response post_query(const Call& call);

/// What get_search answers, for whoever has arguments of its own beside those of a search.
Response search_answer(const Call& call);

}  // namespace rondo::server
