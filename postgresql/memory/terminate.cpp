// An exception that leaves a destructor or a function that must not fail would abort the process, and with it
// PostgreSQL ends all others and recovers. Here it ends the connection at hand.
#include <exception>

#include "bridge/bridge.h"

namespace {

[[maybe_unused]] const std::terminate_handler kHandlerBefore = std::set_terminate(rondo_end_connection);

}  // namespace
