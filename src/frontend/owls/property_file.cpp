// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/property_file.h"

#include "frontend/expression/expression_parser.h"
#include "frontend/expression/lexer.h"
#include "frontend/owls/values.h"

namespace whittle::owls {

void read_properties(const Asked& asked, Sources& sources, FileId document, const FileReader& read,
                     Diagnostics& diagnostics, SymbolIndex& symbols) {
  if (!read) return;
  const std::string& path = sources.file(document).path();
  const auto file = read(path.substr(0, path.find_last_of('.')) + ".prop");
  if (!file) return;  // there are none
  frontend::SyntaxTree tree(sources.file(*file).text(), *file,
                            frontend::tokenize(sources, *file, diagnostics));
  frontend::TokenReader reader(tree, diagnostics);
  frontend::ExpressionTyper typer(asked.network.pool(), tree, diagnostics, symbols);
  while (!reader.at_end()) {
    if (!reader.accept_word("property")) {
      diagnostics.report("owls-006", reader.span(), "this is no property",
                         "a line is `property name: expression`");
      return;
    }
    const frontend::Name name = reader.expect_name("the name of the property", true);
    if (name.text.empty() || !reader.expect(frontend::TokenKind::Colon)) return;
    const auto root = frontend::parse_expression(reader, &ends_expression);
    if (!root) return;
    TextScope scope(asked.network, asked.document, asked.process, asked.main, diagnostics);
    const Expr condition = typer.typed(*root, scope, Type::boolean(), "a property");
    if (!condition.valid()) continue;
    Property property;
    property.name = name.text;
    property.kind = PropertyKind::Invariant;
    property.universe = asked.universe;
    property.origin = name.span;
    property.set_condition(condition);
    asked.network.add_property(std::move(property));
  }
}

}  // namespace whittle::owls
