#pragma once

/// Each module is a namespace. It sees the names of the modules above it, which it may include.

namespace articula {

// clang-format off
namespace base {}
namespace text { using namespace base; }
namespace scalar { using namespace base; }
namespace spatial { using namespace scalar; }
namespace joints { using namespace spatial; }
namespace model { using namespace joints; }
namespace formats { using namespace text; using namespace model; }
namespace mechanism { using namespace model; }
namespace build { using namespace mechanism; }
namespace dynamics { using namespace build; }
namespace closure { using namespace dynamics; }
namespace network { using namespace build; }
namespace drives { using namespace closure; }
namespace integrate { using namespace formats; using namespace closure; }
namespace generate { using namespace integrate; }
namespace batch { using namespace generate; }
namespace solve { using namespace batch; }
namespace control { using namespace solve; }
namespace simulate { using namespace control; }
namespace store { using namespace simulate; }
namespace report { using namespace store; }
namespace study { using namespace report; }
// clang-format on

}  // namespace articula
