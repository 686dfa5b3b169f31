#include <array>

#include "server/resources/resources.h"
#include "server/router.h"

namespace rondo::server {
namespace {

constexpr std::size_t kUpload = std::size_t{4} << 20U;
constexpr std::size_t kRuns = std::size_t{16} << 20U;

constexpr std::array kRoutes = {
    Route{"GET", "/", get_root, Caching::own},
    Route{"GET", "/health", get_health},
    Route{"GET", "/metrics", get_metrics},
    Route{"GET", "/api/v1/collection", get_collection, Caching::collection},
    Route{"GET", "/api/v1/systems", get_systems, Caching::collection},
    Route{"GET", "/api/v1/query", get_query, Caching::collection},
    Route{"POST", "/api/v1/query", post_query, Caching::none, kUpload},
    Route{"GET", "/api/v1/search", get_search, Caching::measured, 0, "application/json text/csv text/plain"},
    Route{"GET", "/api/v1/melodies/{}", get_melody, Caching::collection},
    Route{"GET", "/api/v1/melodies/{}/features", get_features, Caching::collection},
    Route{"GET", "/api/v1/funnel", get_funnel, Caching::collection},
    Route{"GET", "/api/v1/compare", get_compare, Caching::collection},
    Route{"GET", "/api/v1/export", get_export, Caching::none, 0, "text/csv application/jsonl text/plain"},
    Route{"POST", "/api/v1/evaluate", post_evaluate, Caching::none, kRuns},
    Route{"GET", "/api/v1/openapi.json", get_openapi, Caching::own},
    Route{"GET", "/*", get_page, Caching::own},
};

}  // namespace

std::span<const Route> routes() { return kRoutes; }

}  // namespace rondo::server
