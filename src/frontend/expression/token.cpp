// SPDX-License-Identifier: Apache-2.0
#include "frontend/expression/token.h"

#include "base/error.h"

namespace whittle::frontend {

std::string_view describe(TokenKind kind) {
  switch (kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::Word:
      return "a name";
    case TokenKind::Text:
      return "a text in quotes";
    case TokenKind::Integer:
      return "a whole number";
    case TokenKind::Decimal:
      return "a number";
    case TokenKind::OpenParen:
      return "`(`";
    case TokenKind::CloseParen:
      return "`)`";
    case TokenKind::OpenBracket:
      return "`[`";
    case TokenKind::CloseBracket:
      return "`]`";
    case TokenKind::OpenBrace:
      return "`{`";
    case TokenKind::CloseBrace:
      return "`}`";
    case TokenKind::Comma:
      return "`,`";
    case TokenKind::Semicolon:
      return "`;`";
    case TokenKind::Colon:
      return "`:`";
    case TokenKind::Dot:
      return "`.`";
    case TokenKind::DotDot:
      return "`..`";
    case TokenKind::At:
      return "`@`";
    case TokenKind::Prime:
      return "`'`";
    case TokenKind::Becomes:
      return "`:=`";
    case TokenKind::Assign:
      return "`=`";
    case TokenKind::Arrow:
      return "`->`";
    case TokenKind::Or:
      return "`||`";
    case TokenKind::And:
      return "`&&`";
    case TokenKind::Equal:
      return "`==`";
    case TokenKind::NotEqual:
      return "`!=`";
    case TokenKind::Less:
      return "`<`";
    case TokenKind::LessEqual:
      return "`<=`";
    case TokenKind::Greater:
      return "`>`";
    case TokenKind::GreaterEqual:
      return "`>=`";
    case TokenKind::Not:
      return "`!`";
    case TokenKind::Plus:
      return "`+`";
    case TokenKind::Minus:
      return "`-`";
    case TokenKind::PlusPlus:
      return "`++`";
    case TokenKind::Star:
      return "`*`";
    case TokenKind::Slash:
      return "`/`";
    case TokenKind::Percent:
      return "`%`";
    case TokenKind::Caret:
      return "`^`";
    case TokenKind::Ampersand:
      return "`&`";
    case TokenKind::Bar:
      return "`|`";
    case TokenKind::DoubleArrow:
      return "`=>`";
    case TokenKind::LessGreater:
      return "`<>`";
    case TokenKind::Box:
      return "`[]`";
    case TokenKind::Bad:
      return "characters that mean nothing here";
  }
  fail_contract("kind", __FILE__, __LINE__, "no such kind of token");
}

}  // namespace whittle::frontend
