#include <array>

#include "server/resources/resources.h"
#include "server/router.h"

namespace rondo::server {
namespace {

constexpr std::size_t kWords = std::size_t{4} << 10U;
constexpr std::size_t kRanking = std::size_t{64} << 10U;
constexpr std::size_t kTexts = std::size_t{512} << 10U;
constexpr std::size_t kUpload = std::size_t{4} << 20U;
constexpr std::size_t kRuns = std::size_t{16} << 20U;
constexpr std::size_t kStudy = std::size_t{64} << 20U;

// Of results that may be long for good reasons: a whole score, and the concordances of a whole collection.
constexpr std::size_t kScore = std::size_t{64} << 20U;
constexpr std::size_t kWhole = std::size_t{128} << 20U;

constexpr std::string_view kJson = "application/json";

/// A route of the researcher or of participants: never cached.
constexpr Route study(std::string_view method, std::string_view pattern, Response (*handle)(const Call&), Access access,
                      std::size_t body = 0, std::string_view types = "application/json", Cost cost = Cost::low) {
  return {method, pattern, handle, Caching::none, body, types, access, cost};
}

constexpr std::string_view kNotations =
    "text/plain text/vnd.abc audio/midi application/mei+xml application/vnd.recordare.musicxml+xml application/jsonl";

constexpr std::string_view kMelodyTypes =
    "application/json text/plain text/vnd.abc audio/midi application/mei+xml application/vnd.recordare.musicxml+xml "
    "application/jsonl";

constexpr std::array kRoutes = {
    Route{"GET", "/", get_root, Caching::own, 0, kJson, Access::known},
    Route{"GET", "/health", get_health, Caching::none, 0, kJson, Access::everybody},
    Route{"GET", "/metrics", get_metrics, Caching::none, 0, kJson, Access::everybody},
    Route{"GET", "/api/v1/collection", get_collection, Caching::collection},
    Route{"GET", "/api/v1/systems", get_systems, Caching::collection},
    Route{"GET", "/api/v1/query", get_query, Caching::collection},
    Route{"POST", "/api/v1/query", post_query, Caching::none, kUpload, kJson, Access::collection, Cost::high},
    Route{"POST", "/api/v1/convert", post_convert, Caching::none, kUpload, kNotations, Access::collection, Cost::high},
    Route{"GET", "/api/v1/search", get_search, Caching::measured, 0, "application/json text/csv text/plain",
          Access::collection, Cost::high, true},
    Route{"POST", "/api/v1/search", post_search, Caching::none, kTexts, "application/json text/csv text/plain",
          Access::collection, Cost::high, true},
    Route{"GET", "/api/v1/melodies/{}", get_melody, Caching::collection, 0, kMelodyTypes, Access::collection, Cost::low,
          false, kScore},
    Route{"GET", "/api/v1/melodies/{}/features", get_features, Caching::collection},
    Route{"GET", "/api/v1/funnel", get_funnel, Caching::collection, 0, kJson, Access::collection, Cost::high},
    Route{"GET", "/api/v1/compare", get_compare, Caching::collection, 0, kJson, Access::collection, Cost::high},
    Route{"GET", "/api/v1/export", get_export, Caching::none, 0, "text/csv application/jsonl text/plain",
          Access::collection, Cost::high},
    Route{"POST", "/api/v1/evaluate", post_evaluate, Caching::none, kRuns, kJson, Access::collection, Cost::high},
    Route{"GET", "/api/v1/openapi.json", get_openapi, Caching::own, 0, kJson, Access::everybody},

    study("GET", "/api/v1/concordances", get_concordances, Access::collection),
    study("POST", "/api/v1/concordances", post_concordances, Access::researcher, kWords),
    study("POST", "/api/v1/concordances/cancel", post_concordances_cancel, Access::researcher, kWords),
    study("GET", "/api/v1/concordances/groups", get_concordance_groups, Access::collection, 0, kJson, Cost::high),
    Route{"GET", "/api/v1/concordances/export", get_concordance_export, Caching::none, 0,
          "text/csv application/json text/html text/turtle application/marcxml+xml", Access::collection, Cost::high,
          false, kWhole},
    study("PUT", "/api/v1/concordances/decisions", put_concordance_decision, Access::researcher, kRanking),

    study("GET", "/api/v1/me", get_me, Access::known),
    study("POST", "/api/v1/login", post_login, Access::everybody, kWords),
    study("POST", "/api/v1/logout", post_logout, Access::researcher, kWords),
    study("GET", "/api/v1/candidates/{}", get_candidates, Access::researcher),
    study("PUT", "/api/v1/candidates/{}/picks", put_picks, Access::researcher, kTexts),
    study("GET", "/api/v1/studies", get_studies, Access::researcher),
    study("POST", "/api/v1/studies", post_studies, Access::researcher, kTexts),
    study("POST", "/api/v1/studies/import", post_study_import, Access::researcher, kStudy, kJson, Cost::high),
    study("GET", "/api/v1/studies/{}", get_study, Access::researcher),
    study("PATCH", "/api/v1/studies/{}", patch_study, Access::researcher, kTexts),
    study("POST", "/api/v1/studies/{}/invitations", post_invitations, Access::researcher, kTexts),
    study("POST", "/api/v1/studies/{}/open-link", post_open_link, Access::researcher, kWords),
    study("POST", "/api/v1/studies/{}/left-out", post_left_out, Access::researcher, kWords),
    study("POST", "/api/v1/studies/{}/withdrawals", post_withdrawal, Access::researcher, kWords),
    study("GET", "/api/v1/studies/{}/truth", get_study_results, Access::researcher, 0, kJson, Cost::high),
    study("GET", "/api/v1/studies/{}/truth.txt", get_study_truth, Access::researcher, 0, "text/plain application/json",
          Cost::high),
    study("GET", "/api/v1/studies/{}/tables.html", get_study_tables, Access::researcher, 0, "text/html", Cost::high),
    study("GET", "/api/v1/studies/{}/votes", get_study_votes, Access::researcher, 0, "text/csv application/json"),
    study("GET", "/api/v1/studies/{}/export", get_study_export, Access::researcher),
    study("GET", "/api/v1/studies/{}/audit", get_study_audit, Access::researcher),
    study("POST", "/api/v1/study/{}/join", post_join, Access::everybody, kWords),
    study("GET", "/api/v1/study/{}/me", get_participant, Access::participant),
    study("PUT", "/api/v1/study/{}/me/consent", put_consent, Access::participant, kWords),
    study("PUT", "/api/v1/study/{}/me/background", put_background, Access::participant, kTexts),
    study("GET", "/api/v1/study/{}/me/queries/{}", get_task, Access::participant),
    study("PUT", "/api/v1/study/{}/me/queries/{}/ranking", put_ranking, Access::participant, kRanking),
    study("POST", "/api/v1/study/{}/me/leave", post_leave, Access::participant, kWords),

    Route{"GET", "/*", get_page, Caching::own, 0, kJson, Access::everybody},
};

}  // namespace

std::span<const Route> routes() { return kRoutes; }

}  // namespace rondo::server
